import type { Drill } from './drill.ts';
import { cheapBesideWorst } from './parts/cheap-beside-worst.ts';
import { eventStreams } from './parts/event-streams.ts';
import { goneClients } from './parts/gone-clients.ts';
import { hostileList } from './parts/hostile-list.ts';
import { hostileSources } from './parts/hostile-sources.ts';
import { kill } from './parts/kill.ts';
import { overload } from './parts/overload.ts';
import { pipeline } from './parts/pipeline.ts';
import { postgres } from './parts/postgres.ts';
import { restart } from './parts/restart.ts';
import { slowLoris } from './parts/slow-loris.ts';
import { soak } from './parts/soak.ts';
import { sqlite } from './parts/sqlite.ts';
import { worstRequests } from './parts/worst-requests.ts';

/** In the order in which they run and are reported. */
export const DRILLS: readonly Drill[] = [
  kill,
  overload,
  cheapBesideWorst,
  hostileList,
  worstRequests,
  hostileSources,
  pipeline,
  slowLoris,
  goneClients,
  eventStreams,
  restart,
  postgres,
  sqlite,
  soak,
];
