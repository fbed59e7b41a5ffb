// What the site uses of htm with Preact.
export type VNode = { readonly type: unknown };
export type Context<T> = { Provider: (props: { value: T }) => VNode };
type Setter<S> = (next: S | ((before: S) => S)) => void;

export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function render(node: VNode, parent: Element | DocumentFragment): void;
export function createContext<T>(initial: T): Context<T>;
export function useContext<T>(context: Context<T>): T;
export function useState<S>(initial: S | (() => S)): [S, Setter<S>];
export function useEffect(effect: () => void | (() => void), causes?: readonly unknown[]): void;
export function useLayoutEffect(
  effect: () => void | (() => void),
  causes?: readonly unknown[],
): void;
export function useRef<T>(initial: T): { current: T };
export function useMemo<T>(make: () => T, causes: readonly unknown[]): T;
export function useCallback<F extends Function>(made: F, causes: readonly unknown[]): F;
