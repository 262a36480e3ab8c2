import { describe, expect, it } from 'vitest';
import { operationIdOf } from '../../src/http/openapi/operation-schema.ts';

describe('operationIdOf', () => {
  it.each([
    ['/users/:addressOrENS/followers', 'getUserFollowers'],
    ['/lists/:token_id/recommended/details', 'getListRecommendedDetails'],
    ['/users/:addressOrENS/lists', 'getUserLists'],
    ['/users/:addressOrENS/primary-list', 'getUserPrimaryList'],
    ['/users/:addressOrENS/:addressOrENS2/buttonState', 'getUserButtonState'],
    ['/lists/:token_id/searchFollowers', 'searchListFollowers'],
    ['/leaderboard/search', 'searchLeaderboard'],
    ['/exportState/:token_id', 'exportState'],
    ['/stats', 'getStats'],
  ])('names %s %s', (path, id) => {
    expect(operationIdOf(path)).toBe(id);
  });
});
