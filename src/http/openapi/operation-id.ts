/** Segments of paths that are verbs. The ids of all other operations begin with `get`. */
const VERBS = ['search', 'export', 'discover'];

/** `getUserFollowers` for `/users/:addressOrENS/followers`, `searchLeaderboard` for `/leaderboard/search`. */
export function operationIdOf(path: string): string {
  const words = path
    .replace(/^\/(user|list)s\/:/, '/$1/:')
    .split('/')
    .filter((segment) => !segment.startsWith(':'))
    .flatMap((segment) => segment.split(/-|(?=[A-Z])/))
    .map((word) => word.toLowerCase());
  const verb = words.find((word) => VERBS.includes(word)) ?? 'get';
  return (
    verb +
    words
      .filter((word) => word !== verb)
      .map(capitalise)
      .join('')
  );
}

function capitalise(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
