/** What a page says about itself to search engines, and to the previews of links. */
export interface Head {
  /** Of the Open Graph protocol. */
  readonly type: 'profile' | 'website';
  readonly title: string;
  readonly description: string;
  /** Absolute, like `image`; null if the public URL of the service is not known. */
  readonly url: string | null;
  readonly image: string | null;
}

export function renderHead({ type, title, description, url, image }: Head): string {
  const properties = { 'og:site_name': 'Kith', 'og:type': type, 'og:title': title, 'og:description': description };
  const tags = [
    `<title>${escapeText(title)} · Kith</title>`,
    meta('name', 'description', description),
    ...Object.entries(properties).map(([name, content]) => meta('property', name, content)),
    meta('name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'),
  ];
  if (url !== null) tags.push(meta('property', 'og:url', url));
  if (image !== null) {
    tags.push(
      meta('property', 'og:image', image),
      meta('property', 'og:image:width', '1200'),
      meta('property', 'og:image:height', '630'),
    );
  }
  return tags.join('\n    ');
}

function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeText(content)}" />`;
}

/** Invisible characters that XML forbids, or that reorder the text around them. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute of HTML or SVG. Names are written by strangers. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
