import { useState } from 'preact/hooks';
import '../styles/me.css';
import { lookup, type ResponseOf } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { AccountLink } from '../components/account-link.tsx';
import { RowsPlaceholder } from '../components/endless.tsx';
import { Name } from '../components/name.tsx';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { Segments } from '../components/segments.tsx';
import { useMe } from './me.ts';

interface Props {
  readonly address: string;
  /** Or the short address. */
  readonly name: string;
}

type Direction = 'from' | 'to';
const DIRECTIONS = [
  { value: 'from', label: 'From you' },
  { value: 'to', label: 'To you' },
] as const;

/** A shortest chain of follows between the visitor and the account of a page. */
export function Connection({ address, name }: Props) {
  const me = useMe()?.address;
  const [direction, setDirection] = useState<Direction>('from');
  if (me === undefined || me === address) return null;
  const [source, target] = direction === 'from' ? [me, address] : [address, me];
  return (
    <Chain
      source={source}
      target={target}
      name={name}
      controls={<Segments label="Direction" options={DIRECTIONS} value={direction} onChange={setDirection} />}
      isFromMe={direction === 'from'}
    />
  );
}

interface ChainProps {
  readonly source: string;
  readonly target: string;
  readonly name: string;
  readonly isFromMe: boolean;
  readonly controls: preact.JSX.Element;
}

function Chain({ source, target, name, isFromMe, controls }: ChainProps) {
  const request = lookup('/users/{addressOrENS}/path/{addressOrENS2}', {
    addressOrENS: source,
    addressOrENS2: target,
  });
  const { data, error, reload } = useRequest(request);
  return (
    <Panel title="How you are connected" requests={[request]} controls={controls}>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {data === undefined && error === undefined && <RowsPlaceholder count={2} />}
      {data !== undefined && data.length === null && <NoChain data={data} name={name} isFromMe={isFromMe} />}
      {data !== undefined && data.length !== null && (
        <ol class="follow-chain" aria-label={`${data.length} ${data.length === 1 ? 'follow' : 'follows'}`}>
          {data.accounts.map((account, index) => (
            <li key={account.address}>
              {index > 0 && <span class="follow-step">follows</span>}
              <AccountLink {...account} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

interface NoChainProps extends Pick<ChainProps, 'name' | 'isFromMe'> {
  readonly data: ResponseOf<'/users/{addressOrENS}/path/{addressOrENS2}'>;
}

function NoChain({ data, name, isFromMe }: NoChainProps) {
  const other = <Name name={name} />;
  const ends = isFromMe ? <>from you to {other}</> : <>from {other} to you</>;
  return (
    <p class="empty">
      {data.isComplete ? (
        <>No chain of up to six follows leads {ends}.</>
      ) : (
        <>Unknown: the search for a chain {ends} ended at its limit of follows to look at, before it found one.</>
      )}
    </p>
  );
}
