import { useRef } from 'preact/hooks';
import { formatNumber } from '../components/format.ts';
import type { EdgeTab } from './edge-query.ts';

interface Props {
  readonly value: EdgeTab;
  /** Undefined while unknown. */
  readonly counts: Readonly<Record<EdgeTab, number | undefined>>;
  readonly onChange: (tab: EdgeTab) => void;
}

const TABS = [
  { value: 'followers', label: 'Followers' },
  { value: 'following', label: 'Following' },
] as const;

export const EDGE_PANEL = 'edge-panel';
export const tabId = (tab: EdgeTab) => `edge-tab-${tab}`;

export function EdgeTabs({ value, counts, onChange }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const choose = (tab: EdgeTab) => {
    onChange(tab);
    list.current?.querySelector<HTMLElement>(`#${tabId(tab)}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [first, last] = TABS;
    const other = value === first.value ? last.value : first.value;
    const targets: Record<string, EdgeTab> = {
      ArrowLeft: other,
      ArrowRight: other,
      Home: first.value,
      End: last.value,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    choose(target);
  };
  return (
    <div ref={list} class="edge-tabs" role="tablist" aria-label="Connections" onKeyDown={onKeyDown}>
      {TABS.map((tab) => (
        <button
          key={tab.value}
          id={tabId(tab.value)}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          aria-controls={EDGE_PANEL}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => choose(tab.value)}
        >
          {tab.label}{' '}
          <span class="edge-count">{counts[tab.value] === undefined ? '' : formatNumber(counts[tab.value] ?? 0)}</span>
        </button>
      ))}
    </div>
  );
}
