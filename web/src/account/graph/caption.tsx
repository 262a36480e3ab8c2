import { formatNumber } from '../../components/format.ts';
import { Name } from '../../components/name.tsx';
import type { Neighbourhood } from './neighbourhood.ts';
import { describeRelation, RELATIONS } from './relations.ts';

interface Props {
  readonly neighbourhood: Neighbourhood;
  /** Whom the relations are about. */
  readonly subject: string;
  /** Name of the centre. */
  readonly centre: string;
}

export function Caption({ neighbourhood: { nodes }, subject, centre }: Props) {
  const others = nodes.slice(1);
  const relations = RELATIONS.filter((relation) => others.some((node) => node.relation === relation));
  return (
    <div class="graph-caption">
      <ul class="graph-legend" aria-label="Legend">
        {relations.map((relation) => (
          <li key={relation} data-mark={relation}>
            {describeRelation(relation, subject)}
          </li>
        ))}
        <li data-mark="both-ways">Follow each other</li>
        <li data-mark="one-way">Follows</li>
        <li data-mark="top8">In the top8</li>
        <li data-mark="size">More followers</li>
      </ul>
      <p>
        {subject !== centre && <Known others={others} subject={subject} centre={centre} />}
        {formatNumber(others.length)} accounts around <Name name={centre} />: its top8, then its mutuals, then others,
        the most followed first.{' '}
        <span id="graph-hint" class="graph-hint" data-for="mouse">
          Drag to move, turn the wheel to zoom. Click an account to select it, and again to open it. Press ? for the
          keys.
        </span>
        <span class="graph-hint" data-for="touch">
          Tap an account to select it, and again to open it. Tap the picture to move it in all directions.
        </span>
      </p>
    </div>
  );
}

interface KnownProps extends Pick<Props, 'subject' | 'centre'> {
  readonly others: Neighbourhood['nodes'];
}

/** The followers that the viewer knows. */
function Known({ others, subject, centre }: KnownProps) {
  const followers = others.filter(({ isFollower }) => isFollower);
  const mutuals = followers.filter(({ relation }) => relation === 'mutual');
  const known = followers.filter(({ relation }) => relation === 'out' || relation === 'mutual');
  return (
    <strong class="graph-known">
      <Name name={subject} /> follows {known.length} of the {followers.length} followers of <Name name={centre} /> in
      this picture, {mutuals.length} of them mutually.
    </strong>
  );
}
