import { useEffect, useRef, useState } from 'preact/hooks';
import { batch } from '../api/request.ts';
import { AccountField } from '../components/account-field.tsx';
import { AccountLink } from '../components/account-link.tsx';
import { Problem } from '../components/problem.tsx';
import { setMe, useMe } from './me.ts';
import { useRelationFailure } from './relations.ts';

/** Asks the visitor who they are, or says who they are. */
export function MeQuestion({ close }: { readonly close: () => void }) {
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
