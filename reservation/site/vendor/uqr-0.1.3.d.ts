// What the site uses of uqr.
export function encode(
  data: string,
  options?: { ecc?: 'L' | 'M' | 'Q' | 'H'; border?: number },
): { size: number; data: boolean[][] };
