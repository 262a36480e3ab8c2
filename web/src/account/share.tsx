import { useState } from 'preact/hooks';
import { client, lookup } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Problem } from '../components/problem.tsx';
import { tabPath } from './tabs.tsx';

interface Props {
  /** The name or address in the URL. */
  readonly id: string;
  readonly address: string;
}

/** The address of the page to copy, and the QR code of the profile page that the service is set to. */
export function Share({ id, address }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, reload } = useRequest(
    isOpen ? lookup('/users/{addressOrENS}/simple-profile', { addressOrENS: address }) : null,
  );
  return (
    <details class="share" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Share</summary>
      {isOpen && (
        <div class="share-content">
          <CopyButton text={location.origin + tabPath(id, 'overview')} label="Copy link" />
          <img
            class="qr"
            src={client.urlOf('/users/{addressOrENS}/qr', { addressOrENS: address })}
            alt="QR code of the profile page"
          />
          {error !== undefined && <Problem error={error} retry={reload} />}
          {data !== undefined && (
            <a class="address" href={data.url} target="_blank" rel="noopener noreferrer">
              {data.url}
            </a>
          )}
        </div>
      )}
    </details>
  );
}
