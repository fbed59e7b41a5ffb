"""Faults that no page may commit, in any test."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError

_REFUSED = re.compile(r"Failed to load resource: (?:.* status of (\d+)|net::ERR_)")
# A user clicks the wrong thing if the page jumps. A shift of more than 0.25 is "poor", see
# https://web.dev/articles/cls. A shift within 500 ms of an input, or of the answer to a change,
# is the answer to the visitor.
_WATCH_SHIFTS = """(() => {
  if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
  let typed = -Infinity;
  addEventListener('input', () => { typed = performance.now(); }, true);
  const send = fetch;
  window.fetch = async (url, options) => {
    const answer = await send(url, options);
    if ((options?.method ?? 'GET') !== 'GET') typed = performance.now();
    return answer;
  };
  const place = ({ top, bottom }) => `${Math.round(top)}-${Math.round(bottom)}`;
  const moved = ({ node, previousRect, currentRect }) =>
    `${node?.className || node?.nodeName} ${place(previousRect)} to ${place(currentRect)}`;
  new PerformanceObserver((shifts) => {
    for (const { value, hadRecentInput, startTime, sources } of shifts.getEntries()) {
      if (value < 0.25 || hadRecentInput || startTime < typed + 500) continue;
      const parts = sources.map(moved).join(', ');
      console.error(`layout shift ${value.toFixed(2)} of ${location.pathname}: ${parts}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
})()"""


class Faults:
    """Collects errors on the console, such as a breach of the Content-Security-Policy, uncaught
    exceptions, and parts of the page that jump (in Chromium).

    A request to another host is an error on the console too: the policy of each page forbids it,
    and the browser resolves no other name. To listen to all requests would take a twentieth of
    the CPU time of a test.
    """

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._allowed: set[int] = set()
        self._contexts: list[BrowserContext] = []

    def listen(self, context: BrowserContext) -> None:
        self._contexts.append(context)
        context.on("console", self._console)
        context.on("weberror", self._uncaught)
        context.add_init_script(_WATCH_SHIFTS)

    def allow(self, *statuses: int) -> None:
        """Allows answers with these statuses, which the console reports as errors; 0 stands for
        a lost answer."""
        self._allowed |= set(statuses)

    def check(self) -> None:
        for page in (page for context in self._contexts for page in context.pages):
            page.evaluate("0")  # waits for the events of the page
        assert not self.seen, "\n".join(self.seen)

    def _console(self, message: ConsoleMessage) -> None:
        refused = _REFUSED.match(message.text)
        if message.type == "error" and not (refused and int(refused[1] or 0) in self._allowed):
            self.seen.append(f"console: {message.text} ({message.location['url']})")

    def _uncaught(self, error: WebError) -> None:
        self.seen.append(f"uncaught: {error.error}")
