import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import '../styles/me.css';
import { Avatar } from '../components/avatar.tsx';
import { shortAddress } from '../components/format.ts';
import { Problem } from '../components/problem.tsx';
import { useChunk } from '../components/use-chunk.ts';
import { useMe } from './me.ts';
import { useRelationFailure } from './relations.ts';

/** The button that says who the visitor is, and what it opens. The browser closes it with Escape and restores the focus. */
export function MeMenu() {
  const me = useMe();
  const failure = useRelationFailure();
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const { chunk, error } = useChunk(() => import('./me-question.tsx'), isOpen);
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
        {error !== undefined && <Problem error={error} retry={() => location.reload()} />}
        {isOpen && chunk !== undefined && <chunk.MeQuestion close={() => menu.current?.hidePopover()} />}
      </div>
    </>
  );
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
