/** How long a link is hovered or focused before its card is shown. */
const OPEN_MS = 350;
/** How long the pointer may take from the link to its card. */
const CLOSE_MS = 250;

/**
 * Calls `show` with the link to an account that is hovered by a mouse, focused by the keyboard or whose button is tapped,
 * and with null when its card should go. Returns a function that ends it.
 */
export function watchAccountLinks(show: (link: HTMLAnchorElement | null) => void): () => void {
  const closing = new AbortController();
  let shown: HTMLAnchorElement | null = null;
  /** The link whose card was closed while the pointer is still on it. */
  let dismissed: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const change = (link: HTMLAnchorElement | null, delayMs = 0) => {
    clearTimeout(timer);
    const apply = () => {
      shown = link;
      show(link);
    };
    if (delayMs === 0) apply();
    else timer = setTimeout(apply, delayMs);
  };
  const on = <T extends keyof DocumentEventMap>(type: T, listen: (event: DocumentEventMap[T]) => void) =>
    document.addEventListener(type, listen, { signal: closing.signal, capture: true });

  on('pointerover', ({ pointerType, target }) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return;
    const link = linkOf(target);
    const focused = focusedLink();
    if (link !== dismissed && focused !== dismissed) dismissed = null;
    const wanted = link ?? focused;
    if (target.closest('.account-card') !== null || (wanted !== null && wanted === shown)) clearTimeout(timer);
    else if (link === null) change(focused === dismissed ? null : focused, CLOSE_MS);
    else if (link !== dismissed) change(link, OPEN_MS);
  });
  on('pointerout', ({ relatedTarget }) => {
    // The pointer has left the page.
    if (relatedTarget === null && focusedLink() === null) change(null, CLOSE_MS);
  });
  on('focusin', () => {
    const link = focusedLink();
    if (link !== null) change(link, OPEN_MS);
    else if (shown !== null && document.querySelector('.account-card:hover') === null && !shown.matches(':hover'))
      change(null);
    else if (shown === null) clearTimeout(timer);
  });
  on('keydown', (event) => {
    if (event.key !== 'Escape' || shown === null) return;
    // Of what is open, Escape closes one at a time.
    event.preventDefault();
    event.stopPropagation();
    dismissed = shown;
    change(null);
  });
  on('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('.account-card')) return;
    const link = target.closest('.card-toggle')?.parentElement?.querySelector('a') ?? null;
    change(link === shown ? null : link);
  });
  on('scroll', ({ target }) => {
    // The card moves with the page, but not with a list that scrolls by itself.
    if (target !== document && shown !== null) change(null);
  });
  return () => {
    clearTimeout(timer);
    closing.abort();
  };
}

/** The link to an account that has the focus of the keyboard. */
function focusedLink(): HTMLAnchorElement | null {
  const focused = document.activeElement;
  return focused?.matches(':focus-visible') ? linkOf(focused) : null;
}

/** The link to the page of an account that an element is in, but not that of a tab or of an option. */
function linkOf(element: Element): HTMLAnchorElement | null {
  const link = element.closest<HTMLAnchorElement>('a[href^="/account/"]:not([role], nav a)');
  return link !== null && /^\/account\/[^/]+$/.test(link.pathname) && link.search === '' ? link : null;
}
