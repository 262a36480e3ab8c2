import { useRoute } from 'preact-iso';
import '../styles/list-page.css';
import { Edges } from '../account/edges.tsx';
import { lookup } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { RowsPlaceholder } from '../components/endless.tsx';
import { Problem } from '../components/problem.tsx';
import { Unknown } from '../components/unknown.tsx';
import { useTitle } from '../components/use-title.ts';
import { ListFacts } from '../list/list-facts.tsx';
import { ListNumbers } from '../list/list-numbers.tsx';

export function ListPage() {
  // The service accepts leading zeros, and answers without them.
  const id = (useRoute().params.id ?? '').replace(/^0+(?=\d)/, '');
  // The key resets the filters for another list.
  return <List key={id} id={id} />;
}

function List({ id }: { readonly id: string }) {
  const title = `List #${id}`;
  const { data, error, reload } = useRequest(lookup('/lists/{token_id}', { token_id: id }));
  useTitle(title);
  if (data === undefined && error !== undefined) return <Unknown title={title} error={error} retry={reload} />;
  return (
    <div class="account-page">
      <h1>{title}</h1>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {data === undefined ? <RowsPlaceholder count={6} /> : <ListFacts list={data} />}
      {data?.storage_location && (
        <>
          <ListNumbers id={id} />
          <Edges subject={{ kind: 'list', id }} tab="following" name={`list-${id}`} />
        </>
      )}
    </div>
  );
}
