import '../styles/edges.css';
import { lookupOf, type Subject } from '../api/subject.ts';
import { usePages } from '../api/use-pages.ts';
import { useRequest } from '../api/use-request.ts';
import { Endless } from '../components/endless.tsx';
import { formatNumber } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { CsvDownload } from './csv-download.tsx';
import { EdgeFilters } from './edge-filters.tsx';
import { type EdgeQuery, useEdgeQuery } from './edge-query.ts';
import { EdgeRow } from './edge-row.tsx';
import { BLOCK_TAGS, type EdgeTab, edgeSource } from './edge-source.ts';
import { tabPath } from './tabs.tsx';

interface Props {
  readonly subject: Subject;
  readonly tab: EdgeTab;
  /** Of the subject, for the name of a file. */
  readonly name: string;
}

const TEXTS = {
  followers: { title: 'Followers', empty: 'No followers yet.' },
  following: { title: 'Following', empty: 'Follows nobody yet.' },
  mutuals: { title: 'Mutuals', empty: 'Nobody whom this account follows follows it back.' },
};

/** The followers of an account, whom it or a list follows, or its mutuals. */
export function Edges({ subject, tab, name }: Props) {
  const [query, change] = useEdgeQuery();
  const tagRequest = lookupOf(subject, tab === 'following' ? 'tags' : 'taggedAs', {});
  const tagged = useRequest(tagRequest);
  const source = edgeSource(subject, tab, query);
  const pages = usePages(source);
  const isFiltered = query.term !== '' || query.tags.length > 0;
  const { title, empty } = TEXTS[tab];
  return (
    <Panel
      title={title}
      requests={[pages.request, tagRequest]}
      controls={
        <>
          {subject.kind === 'account' && <MutualsLink id={subject.id} tab={tab} query={query} />}
          <CsvDownload subject={subject} tab={tab} query={query} name={name} />
        </>
      }
    >
      <div class="edges">
        <EdgeFilters tab={tab} query={query} tagged={tagged} onChange={change} />
        <Endless
          key={source.first.url}
          pages={pages}
          label={title}
          empty={isFiltered ? 'No account matches.' : empty}
          noun="change"
        >
          {(edge) => <EdgeRow edge={edge} />}
        </Endless>
        <p class="edge-note edge-end" role="status">
          {pages.isComplete && pages.entries.length > 0 && `The end: ${formatNumber(pages.entries.length)} shown.`}
        </p>
      </div>
    </Panel>
  );
}

interface LinkProps {
  readonly id: string;
  readonly tab: EdgeTab;
  readonly query: EdgeQuery;
}

/** From the followers or followed accounts to the mutuals among them, or back, with the same order and filters. */
function MutualsLink({ id, tab, query: { sort, tags, term } }: LinkProps) {
  const parameters = new URLSearchParams();
  if (sort !== 'latest') parameters.set('sort', sort);
  // The tags of both are those that followers have put.
  if (tab !== 'following' && tags.length > 0)
    parameters.set('tags', `${tags.filter((tag) => !BLOCK_TAGS.includes(tag))}`);
  if (term !== '') parameters.set('term', term);
  const isMutuals = tab === 'mutuals';
  return (
    <a href={`${tabPath(id, isMutuals ? 'followers' : 'mutuals')}?${parameters}`.replace(/\?$/, '')}>
      {isMutuals ? 'All followers' : 'Only mutuals'}
    </a>
  );
}
