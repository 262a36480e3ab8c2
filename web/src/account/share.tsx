import { useState } from 'preact/hooks';
import { CopyButton } from '../components/copy-button.tsx';
import { QrCode } from './qr-code.tsx';
import { tabPath } from './tabs.tsx';

/** The address of the page of an account, by the name or address in the URL, to copy and as a QR code. */
export function Share({ id }: { readonly id: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const url = location.origin + tabPath(id, 'overview');
  return (
    <details class="share" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Share</summary>
      {isOpen && (
        <div class="share-content">
          <CopyButton text={url} label="Copy link" />
          <QrCode text={url} label="QR code of this page" />
        </div>
      )}
    </details>
  );
}
