import { describe, expect, it } from 'vitest';
import { parseBadge } from '../../src/badges/badge.ts';
import { DEFAULT_BADGE_EVENTS } from '../../src/config/settings.ts';
import { blamedField } from '../protocol/blamed-field.ts';

const OWNER = '0x1234567890abcdef1234567890abcdef1234abcd';
const texts = {
  fancy_id: 'a-meeting-2024',
  name: 'A meeting',
  event_url: 'https://meeting.example',
  image_url: 'https://img.example/1.png',
  country: 'Kenya',
  city: 'Nairobi',
  description: 'Who met, has it.',
  start_date: '01-Oct-2024',
  end_date: '02-Oct-2024',
  expiry_date: '01-Nov-2024',
};
const event = { ...texts, id: 177709, year: 2024 };
const badge = { event, tokenId: '7000001', owner: OWNER };
const collectionOf = (value: unknown) => JSON.parse(parseBadge(value, 5).collection ?? 'null');
const blamed = (change: object) => blamedField(() => parseBadge({ ...badge, ...change }, 5));

describe('parseBadge', () => {
  it('returns a row with owner, event and time of the check', () => {
    expect(parseBadge(badge, 5)).toMatchObject({ address: OWNER, event_id: '177709', checked_at: 5 });
  });

  it('keeps event, token and owner in the collection', () => {
    expect(collectionOf(badge)).toEqual(badge);
  });

  it('drops unknown fields', () => {
    const more = {
      ...badge,
      event: { ...event, supply: 300, from_admin: true },
      chain: 'gnosis',
      created: '2024-10-01',
    };
    expect(collectionOf(more)).toEqual(badge);
  });

  describe.each(Object.keys(texts))('parseBadge with an empty %s', (field) => {
    it.each([undefined, null, ''])('converts %j to an empty string', (value) => {
      expect(collectionOf({ ...badge, event: { ...event, [field]: value } }).event).toEqual({ ...event, [field]: '' });
    });
  });

  it('converts a numeric token to text', () => {
    expect(collectionOf({ ...badge, tokenId: 7000001 })).toEqual(badge);
  });

  it('keeps a token that exceeds a double', () => {
    const tokenId = (2n ** 256n - 1n).toString();
    expect(collectionOf({ ...badge, tokenId }).tokenId).toBe(tokenId);
  });

  it('converts the owner to lower case', () => {
    const shouted = { ...badge, owner: `0x${OWNER.slice(2).toUpperCase()}` };
    expect(parseBadge(shouted, 5).address).toBe(OWNER);
    expect(collectionOf(shouted).owner).toBe(OWNER);
  });

  it('has five default events, in response order', () => {
    expect(DEFAULT_BADGE_EVENTS).toEqual(['177709', '178064', '178065', '178066', '183182']);
  });
});

describe('parseBadge with invalid input', () => {
  it.each([undefined, null, 7, '', 'ada.eth', OWNER.slice(2), `${OWNER}0`])('rejects the owner %j', (owner) => {
    expect(blamed({ owner })).toBe('owner');
  });

  it.each([undefined, null, '', 1.5, 2 ** 53, true, {}])('rejects the token %j', (tokenId) => {
    expect(blamed({ tokenId })).toBe('tokenId');
  });

  it.each([undefined, 'text', []].map((value) => ({ value })))('rejects the event $value', ({ value }) => {
    expect(blamed({ event: value })).toBe('event');
  });

  describe.each(['id', 'year'])('parseBadge with an invalid event.%s', (field) => {
    it.each([undefined, null, '2024', true, Number.NaN, Number.POSITIVE_INFINITY])('rejects %s', (value) => {
      expect(blamed({ event: { ...event, [field]: value } })).toBe(`event.${field}`);
    });
  });

  it.each(Object.keys(texts))('rejects a number as event.%s', (field) => {
    expect(blamed({ event: { ...event, [field]: 7 } })).toBe(`event.${field}`);
  });

  it('rejects an object as a text of the event', () => {
    expect(blamed({ event: { ...event, city: {} } })).toBe('event.city');
  });

  it.each([null, undefined, 'text', 7, []].map((value) => ({ value })))(
    'rejects $value, which is not an object',
    ({ value }) => {
      expect(blamedField(() => parseBadge(value, 5))).toMatch('expected a JSON object');
    },
  );
});
