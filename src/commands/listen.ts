import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { CommandError } from '../errors/operator-error.ts';

/** For the database, its threads, names and badges, probes, and the modules that are loaded on demand. */
const RESERVED_FILES = 160;

/** How many files this process may open; null if that is unknown or without limit. */
export function readOpenFilesLimit(): number | null {
  // The names of remote addresses are not looked up then.
  Object.assign(process.report, { excludeNetwork: true });
  // Safe: on Windows the report has no limits.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : null;
}

/**
 * Bounds the connections of a process by its limit of open files: without a free file, the database and the sources
 * could not be read, and not even the connections be refused.
 */
export function capConnections(
  { limits, database }: Pick<Config, 'database'> & { readonly limits: Pick<Config['limits'], 'maxConnections'> },
  limit: number | null,
): number {
  const { maxConnections } = limits;
  if (limit === null) return maxConnections;
  const reserved = RESERVED_FILES + (database.engine === 'postgres' ? database.poolSize : 0);
  return Math.max(1, Math.min(maxConnections, Math.max(limit - reserved, Math.floor(limit / 2))));
}

/** The configuration with as many connections as this process can have. Says so if they are fewer than configured. */
export function withConnectionLimit<C extends Pick<Config, 'limits' | 'database'>>(
  config: C,
  logger: Pick<Logger, 'warn'> | null,
): C {
  const limit = readOpenFilesLimit();
  const maxConnections = capConnections(config, limit);
  if (maxConnections < config.limits.maxConnections)
    logger?.warn(
      { openFiles: limit, maxConnections },
      `at most ${maxConnections} connections per process, not the MAX_CONNECTIONS of ${config.limits.maxConnections}: the limit of open files is ${limit}`,
    );
  return { ...config, limits: { ...config.limits, maxConnections } };
}

const SYSCALLS = ['listen', 'bind', 'getaddrinfo'];

/** Waits for a listener. Its error names the setting of the port. */
export async function withListenError<T>(variable: string, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const { syscall = '', code, message } = error as NodeJS.ErrnoException;
    if (!SYSCALLS.includes(syscall)) throw error;
    throw new CommandError(code === 'EADDRINUSE' ? 'E_PORT_IN_USE' : 'E_LISTEN', `HOST, ${variable}: ${message}`);
  }
}
