import { describe, expect, it } from 'vitest';
import { parseBadge } from '../../src/badges/badge.ts';
import { DEFAULT_BADGE_EVENTS } from '../../src/config/badge-events.ts';
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

describe('a badge', () => {
  it('is a row of its owner and its event, checked when it was asked for', () => {
    expect(parseBadge(badge, 5)).toMatchObject({ address: OWNER, event_id: '177709', checked_at: 5 });
  });

  it('keeps event, token and owner', () => {
    expect(collectionOf(badge)).toEqual(badge);
  });

  it('drops the fields that answers do not have', () => {
    const more = {
      ...badge,
      event: { ...event, supply: 300, from_admin: true },
      chain: 'gnosis',
      created: '2024-10-01',
    };
    expect(collectionOf(more)).toEqual(badge);
  });

  describe.each(Object.keys(texts))('has an empty %s', (field) => {
    it.each([undefined, null, ''])('for %j', (value) => {
      expect(collectionOf({ ...badge, event: { ...event, [field]: value } }).event).toEqual({ ...event, [field]: '' });
    });
  });

  it('has its token as text when a number is told', () => {
    expect(collectionOf({ ...badge, tokenId: 7000001 })).toEqual(badge);
  });

  it('keeps a token that is greater than a double can hold', () => {
    const tokenId = (2n ** 256n - 1n).toString();
    expect(collectionOf({ ...badge, tokenId }).tokenId).toBe(tokenId);
  });

  it('has its owner in lower case', () => {
    const shouted = { ...badge, owner: `0x${OWNER.slice(2).toUpperCase()}` };
    expect(parseBadge(shouted, 5).address).toBe(OWNER);
    expect(collectionOf(shouted).owner).toBe(OWNER);
  });

  it('of the five default events is answered in this order', () => {
    expect(DEFAULT_BADGE_EVENTS).toEqual(['177709', '178064', '178065', '178066', '183182']);
  });
});

describe('a badge is refused with the name of the field', () => {
  it.each([undefined, null, 7, '', 'ada.eth', OWNER.slice(2), `${OWNER}0`])('owner when it is %j', (owner) => {
    expect(blamed({ owner })).toBe('owner');
  });

  it.each([undefined, null, '', 1.5, 2 ** 53, true, {}])('tokenId when it is %j', (tokenId) => {
    expect(blamed({ tokenId })).toBe('tokenId');
  });

  it.each([undefined, 'text', []].map((value) => ({ value })))('event when it is $value', ({ value }) => {
    expect(blamed({ event: value })).toBe('event');
  });

  describe.each(['id', 'year'])('event.%s when it is', (field) => {
    it.each([undefined, null, '2024', true, Number.NaN, Number.POSITIVE_INFINITY])('%s', (value) => {
      expect(blamed({ event: { ...event, [field]: value } })).toBe(`event.${field}`);
    });
  });

  it.each(Object.keys(texts))('event.%s when it is a number', (field) => {
    expect(blamed({ event: { ...event, [field]: 7 } })).toBe(`event.${field}`);
  });

  it('event and a text that is an object', () => {
    expect(blamed({ event: { ...event, city: {} } })).toBe('event.city');
  });

  it.each([null, undefined, 'text', 7, []].map((value) => ({ value })))(
    'when it is not one but $value',
    ({ value }) => {
      expect(blamedField(() => parseBadge(value, 5))).toMatch('expected a JSON object');
    },
  );
});
