/** Two lists of 64 words. No two pairs give the same text when concatenated. */
export const FIRST_WORDS: readonly string[] = wordsOf(`
  amber azure bold brave bright calm clever cosmic crimson crisp curious dapper daring dizzy dusty eager early
  electric fancy feral fluffy frosty gentle giddy golden grumpy happy hidden humble icy indigo jazzy jolly keen lazy
  lively lucky lunar mellow merry mighty misty neon nimble noble odd pastel patient plucky proud quick quiet rapid
  rusty salty shiny silent sleepy snowy solar spicy sunny velvet witty
`);

export const SECOND_WORDS: readonly string[] = wordsOf(`
  badger beacon bear bison brook cactus canyon cedar cloud comet coral cricket dolphin dragon ember falcon fern finch
  fjord forest fox garden gecko glacier harbor heron island ivy koala lagoon lantern lemon lynx mango maple meadow
  meteor moth nebula newt ocean orca otter owl panda pebble pine planet puffin quokka raven reef river robin sparrow
  spruce thistle tiger tulip valley walrus willow wolf zephyr
`);

export const EMOJI: readonly string[] = ['🦊', '🐙', '🌵', '🚀', '🔥', '🍄', '🪐', '🐝', '🦄', '🌊', '🍋', '👾'];

export const WORDS = 64;

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}
