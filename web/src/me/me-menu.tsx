import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import '../styles/me.css';
import { batch } from '../api/request.ts';
import { AccountField } from '../components/account-field.tsx';
import { AccountLink } from '../components/account-link.tsx';
import { Avatar } from '../components/avatar.tsx';
import { shortAddress } from '../components/format.ts';
import { Problem } from '../components/problem.tsx';
import { setMe, useMe } from './me.ts';
import { useRelationFailure } from './relations.ts';

/** The button that says who the visitor is, and what it opens. The browser closes it with Escape and restores the focus. */
export function MeMenu() {
  const me = useMe();
  const failure = useRelationFailure();
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const { path } = useLocation();
  useEffect(() => menu.current?.hidePopover(), [path]);
  const onToggle = ({ newState }: ToggleEvent) => setIsOpen(newState === 'open');
  const label = me === null ? 'Say who you are' : `You are ${me.name || shortAddress(me.address)}`;
  return (
    <>
      <button
        type="button"
        class="quiet me-button"
        popoverTarget="me"
        aria-label={failure === undefined ? label : `${label}. Relations are unknown.`}
        title={label}
      >
        {me === null ? <Person /> : <Avatar address={me.address} src={me.avatar} />}
        {failure !== undefined && <span class="me-fault" />}
      </button>
      <div
        ref={menu}
        id="me"
        popover="auto"
        class="me-menu"
        role="dialog"
        aria-labelledby="me-title"
        onToggle={onToggle}
      >
        {isOpen && <MenuContent close={() => menu.current?.hidePopover()} />}
      </div>
    </>
  );
}

function MenuContent({ close }: { readonly close: () => void }) {
  const me = useMe();
  const failure = useRelationFailure();
  const content = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<Error>();
  useEffect(() => {
    if (me === null) content.current?.querySelector('input')?.focus();
  }, []);
  const choose = async (text: string) => {
    if (text === '') return;
    const outcome = await findAccount(text).catch((cause: Error) => cause);
    if (outcome instanceof Error) return setError(outcome);
    setMe(outcome);
    close();
  };
  return (
    <div ref={content} class="me-content">
      <h2 id="me-title">{me === null ? 'Who are you?' : 'You are'}</h2>
      {me !== null && <AccountLink {...me} />}
      {failure !== undefined && <Problem {...failure} />}
      <AccountField
        id="me-account"
        class="me-field"
        label={me === null ? 'Your name or address' : 'Somebody else'}
        value=""
        actions={['This is me', '']}
        onChoose={choose}
      />
      {error !== undefined && <Problem error={error} />}
      <p class="soft">
        Names then say how they relate to you. It is kept in this browser only; nothing is signed, and nothing is sent
        but ordinary lookups.
      </p>
      {me !== null && (
        <button type="button" onClick={() => setMe(null)}>
          Forget me
        </button>
      )}
    </div>
  );
}

/** Finds an account by name or address. */
async function findAccount(text: string) {
  const [account] = await batch('/accounts', {}, [text]).load(AbortSignal.timeout(30_000));
  if (account) return { address: account.address, name: account.name, avatar: account.avatar };
  throw new Error(`No account has the name or address “${text}”.`);
}

function Person() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20a7.5 7.5 0 0 1 15 0" />
    </svg>
  );
}
