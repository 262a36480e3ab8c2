import { useEffect, useRef, useState } from 'preact/hooks';
import type { Details } from '../api/subject.ts';
import { readRecords } from './record-links.ts';

/** A text of a few lines, with a button to show the rest of it. */
export function Description({ text }: { readonly text: string }) {
  const paragraph = useRef<HTMLParagraphElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const element = paragraph.current;
    if (element === null || isOpen) return;
    const observer = new ResizeObserver(() => setIsCut(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);
  return (
    <div class="profile-description">
      <p ref={paragraph} class={isOpen ? '' : 'clamped'} dir="auto">
        {text}
      </p>
      {(isCut || isOpen) && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Less' : 'More'}
        </button>
      )}
    </div>
  );
}

/** Location and links of an account; the records that are neither are listed as text. */
export function ProfileRecords({ address, ens }: Pick<Details, 'address' | 'ens'>) {
  const { links, others } = readRecords(ens.records);
  const location = ens.records.location?.trim();
  const chains = Object.entries(ens.chains).filter(([, value]) => value.toLowerCase() !== address);
  const rest = [...others, ...chains.map(([chain, value]) => ({ key: `address on ${chain}`, value }))];
  return (
    <>
      {(location || links.length > 0) && (
        <ul class="profile-links" aria-label="Links">
          {location && (
            <li title={location.slice(0, 500)}>
              <span class="profile-service">Location</span> <bdi>{location}</bdi>
            </li>
          )}
          {links.map(({ key, label, text, url }) => (
            <li key={key}>
              <span class="profile-service">{label}</span>{' '}
              {url === null ? (
                <bdi>{text}</bdi>
              ) : (
                <a href={url} target="_blank" rel="noopener noreferrer nofollow" aria-label={`${label}: ${text}`}>
                  <bdi>{text}</bdi>
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <details class="profile-others">
          <summary>{rest.length === 1 ? '1 other record' : `${rest.length} other records`}</summary>
          {/* A region that scrolls must be reachable by keyboard. */}
          <dl tabIndex={0}>
            {rest.map(({ key, value }) => (
              <div key={key}>
                <dt>
                  <bdi>{key}</bdi>
                </dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
