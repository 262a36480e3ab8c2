import { lookup } from '../api/request.ts';
import type { Details } from '../api/subject.ts';
import { useRequest } from '../api/use-request.ts';
import { RowsPlaceholder } from '../components/endless.tsx';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { Elsewhere } from './elsewhere.tsx';
import { ProfileLists } from './profile-lists.tsx';
import { Description, ProfileRecords } from './profile-text.tsx';

interface Props {
  /** Undefined until they are loaded. */
  readonly details: Details | undefined;
}

/** What an account says about itself, its lists, and its pages elsewhere. */
export function About({ details }: Props) {
  const request =
    details === undefined ? null : lookup('/users/{addressOrENS}/lists', { addressOrENS: details.address });
  const { data, error, reload } = useRequest(request);
  return (
    <Panel title="About" requests={[request]}>
      {details === undefined ? (
        <RowsPlaceholder count={3} />
      ) : (
        <div class="about">
          {details.ens.records.description && <Description text={details.ens.records.description} />}
          <ProfileRecords address={details.address} ens={details.ens} />
          <Elsewhere address={details.address} name={details.ens.name} />
          {error !== undefined && <Problem error={error} retry={reload} />}
          <ProfileLists primary={details.primary_list} lists={data?.lists} />
        </div>
      )}
    </Panel>
  );
}
