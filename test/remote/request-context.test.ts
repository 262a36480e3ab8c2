import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRequestContext, currentClient, timeLeft } from '../../src/remote/request-context.ts';

describe('createRequestContext', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('shares the time that a request may wait for sources among all that it waits for', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const inRequest = createRequestContext(() => 'client');
    clock.mockReturnValue(3_000);
    expect(inRequest(() => timeLeft(3_000))).toBe(1_000);
    clock.mockReturnValue(9_000);
    expect(inRequest(() => timeLeft(3_000))).toBe(0);
  });

  it('names the client to all work of the request, and to no other', async () => {
    const found = createRequestContext(() => 'client')(async () => {
      await Promise.resolve();
      return currentClient();
    });
    expect(currentClient()).toBe('');
    expect(await found).toBe('client');
  });

  it('leaves work without a request all of its time', () => {
    expect(timeLeft(3_000)).toBe(3_000);
  });
});
