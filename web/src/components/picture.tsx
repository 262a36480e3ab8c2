import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { safeImageUrl } from './safe-url.ts';

interface Props {
  readonly src: string | null | undefined;
  readonly class: string;
  /** Shown until the picture has loaded, and if there is none. */
  readonly children: ComponentChildren;
}

export function Picture({ src, class: name, children }: Props) {
  const [loaded, setLoaded] = useState('');
  const url = safeImageUrl(src);
  const isLoaded = url !== null && loaded === url;
  return (
    <span class={`picture ${name}`}>
      {!isLoaded && children}
      {url !== null && (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          class={isLoaded ? '' : 'pending'}
          onLoad={() => setLoaded(url)}
        />
      )}
    </span>
  );
}
