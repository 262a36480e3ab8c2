export function SearchBox() {
  return <search class="search" />;
}
