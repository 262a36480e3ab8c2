import type { Migration } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { createGraph } from './001-graph.ts';
import { createWantedProfiles } from './002-wanted-profiles.ts';
import { clusterFollowers } from './003-clustered-followers.ts';
import { createSearchableLeaderboard } from './004-searchable-leaderboard.ts';
import { emptyLeaderboard } from './005-longer-grams.ts';
import { keepAccountsOfLists } from './006-accounts-of-lists.ts';
import { createDetails } from './007-details.ts';
import { indexHiddenFollowers } from './008-hidden-followers.ts';
import { rankPopularity } from './009-popularity-by-ranking.ts';
import { createRecords } from './010-records.ts';
import { createChainStates } from './011-chain-states.ts';
import { createReadiness } from './012-readiness.ts';

/** In the order in which they run. Never edit a released migration: add a new one. */
export function createMigrations(dialect: Dialect): Record<string, Migration> {
  return {
    '001-graph': { up: (db) => createGraph(db, dialect) },
    '002-wanted-profiles': { up: (db) => createWantedProfiles(db, dialect) },
    '003-clustered-followers': { up: (db) => clusterFollowers(db, dialect) },
    '004-searchable-leaderboard': { up: (db) => createSearchableLeaderboard(db, dialect) },
    '005-longer-grams': { up: (db) => emptyLeaderboard(db, dialect) },
    '006-accounts-of-lists': { up: (db) => keepAccountsOfLists(db, dialect) },
    '007-details': { up: (db) => createDetails(db, dialect) },
    '008-hidden-followers': { up: (db) => indexHiddenFollowers(db, dialect) },
    '009-popularity-by-ranking': { up: rankPopularity },
    '010-records': { up: (db) => createRecords(db, dialect) },
    '011-chain-states': { up: (db) => createChainStates(db, dialect) },
    '012-readiness': { up: (db) => createReadiness(db, dialect) },
  };
}
