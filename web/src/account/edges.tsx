import '../styles/edges.css';
import { lookupOf, type Subject } from '../api/subject.ts';
import { usePages } from '../api/use-pages.ts';
import { useRequest } from '../api/use-request.ts';
import { Endless } from '../components/endless.tsx';
import { formatNumber } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { CsvDownload } from './csv-download.tsx';
import { EdgeFilters } from './edge-filters.tsx';
import { useEdgeQuery } from './edge-query.ts';
import { EdgeRow } from './edge-row.tsx';
import { type EdgeTab, edgeSource } from './edge-source.ts';

interface Props {
  readonly subject: Subject;
  readonly tab: EdgeTab;
  /** Of the subject, for the name of a file. */
  readonly name: string;
}

const TEXTS = {
  followers: { title: 'Followers', empty: 'No followers yet.' },
  following: { title: 'Following', empty: 'Follows nobody yet.' },
};

/** The followers of an account, or whom it or a list follows. */
export function Edges({ subject, tab, name }: Props) {
  const [query, change] = useEdgeQuery();
  const tagRequest = lookupOf(subject, tab === 'followers' ? 'taggedAs' : 'tags', {});
  const tagged = useRequest(tagRequest);
  const source = edgeSource(subject, tab, query);
  const pages = usePages(source);
  const isFiltered = query.term !== '' || query.tags.length > 0;
  const { title, empty } = TEXTS[tab];
  return (
    <Panel
      title={title}
      requests={[pages.request, tagRequest]}
      controls={<CsvDownload subject={subject} tab={tab} query={query} name={name} />}
    >
      <div class="edges">
        <EdgeFilters tab={tab} query={query} tagged={tagged} onChange={change} />
        <Endless key={source.first.url} pages={pages} label={title} empty={isFiltered ? 'No account matches.' : empty}>
          {(edge) => <EdgeRow edge={edge} />}
        </Endless>
        <p class="edge-note edge-end" role="status">
          {pages.isComplete && pages.entries.length > 0 && `The end: ${formatNumber(pages.entries.length)} shown.`}
        </p>
      </div>
    </Panel>
  );
}
