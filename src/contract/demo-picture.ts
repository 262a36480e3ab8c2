const DEMO_PICTURE = /^\/demo\/(?:avatars|badges|headers)\/[\w.%~!'()*-]+\.svg$/;

/** The path of a picture that the service draws for the demo graph, if a text is that path or a URL of it; else null. */
export function demoPictureIn(text: string): string | null {
  const path = text.replace(/^https?:\/\/[^/?#]+/, '');
  return DEMO_PICTURE.test(path) ? path : null;
}
