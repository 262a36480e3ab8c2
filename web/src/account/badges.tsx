import '../styles/badges.css';
import type { ResponseOf } from '../api/request.ts';
import { lookupOf, type Subject } from '../api/subject.ts';
import { useRequest } from '../api/use-request.ts';
import { Panel } from '../components/panel.tsx';
import { Picture } from '../components/picture.tsx';
import { Problem } from '../components/problem.tsx';
import { safeLinkUrl } from '../components/safe-url.ts';

interface Props {
  readonly subject: Subject;
}

type Badge = ResponseOf<'/users/{addressOrENS}/badges'>['poaps'][number];
type Collection = NonNullable<Badge['collection']>;

export function Badges({ subject }: Props) {
  const request = lookupOf(subject, 'badges', {});
  const { data, error, reload } = useRequest(request);
  const badges = data?.poaps ?? [];
  const held = badges.filter((badge) => badge.participated).length;
  return (
    <Panel
      title="Badges"
      requests={[request]}
      controls={
        badges.length > 0 && (
          <span class="badge-count">
            {held} of {badges.length}
          </span>
        )
      }
    >
      {error !== undefined && <Problem error={error} retry={reload} />}
      {data === undefined && error === undefined && (
        <div class="badge-placeholder" role="status" aria-label="Loading" />
      )}
      {data !== undefined && badges.length === 0 && <p class="empty">This service has no badge events.</p>}
      <ul class="badge-shelf">
        {badges.map(({ eventId, participated, collection }) => (
          <li key={eventId}>
            {participated && collection !== null ? (
              <Held eventId={eventId} collection={collection} />
            ) : (
              <Missing eventId={eventId} isHeld={participated} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Held({
  eventId,
  collection: { event, tokenId },
}: {
  readonly eventId: string;
  readonly collection: Collection;
}) {
  const link = safeLinkUrl(event.event_url);
  const place = [event.city, event.country].filter(Boolean).join(', ');
  const days = [event.start_date, event.end_date].filter(Boolean).map((day) => day.replaceAll('-', ' '));
  return (
    <details class="badge" name="badge">
      <summary>
        <Picture src={event.image_url} class="badge-picture">
          <GeneratedBadge eventId={eventId} name={event.name} />
        </Picture>
        <span class="badge-name">
          <bdi>{event.name || `Event ${eventId}`}</bdi>
        </span>
        <span class="badge-date">{days[0] ?? event.year}</span>
      </summary>
      <div class="badge-text">
        {event.description && <p dir="auto">{event.description}</p>}
        <p class="badge-facts">
          <span>{new Set(days).size === 2 ? days.join(' – ') : days[0]}</span>
          {place && <bdi>{place}</bdi>}
          <span>Token {tokenId}</span>
          {link !== null && (
            <a
              href={link}
              target="_blank"
              rel="noopener noreferrer nofollow"
              aria-label={`Event page of ${event.name || eventId}`}
            >
              Event page
            </a>
          )}
        </p>
      </div>
    </details>
  );
}

/** `isHeld`: the badge is held, but its event is unknown. */
function Missing({ eventId, isHeld }: { readonly eventId: string; readonly isHeld: boolean }) {
  return (
    <div class="badge" data-state={isHeld ? 'held' : 'missing'}>
      <span class="picture badge-picture">
        <svg viewBox="0 0 64 64" aria-hidden="true">
          <circle class="badge-outline" cx="32" cy="32" r="29" />
        </svg>
      </span>
      <span class="badge-name">Event {eventId}</span>
      <span class="badge-date">{isHeld ? 'Held' : 'Not held'}</span>
    </div>
  );
}

/** A rosette with the first letter of the name, coloured by the number of the event. */
function GeneratedBadge({ eventId, name }: { readonly eventId: string; readonly name: string }) {
  const hue = (Number(eventId.slice(-6)) * 137) % 360;
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true">
      <circle cx="32" cy="32" r="32" fill={`hsl(${hue} 45% 34%)`} />
      <circle class="badge-ring" cx="32" cy="32" r="26" stroke={`hsl(${hue} 60% 72%)`} />
      <circle cx="32" cy="32" r="20" fill={`hsl(${hue} 50% 42%)`} />
      <text x="32" y="40" text-anchor="middle">
        {[...name][0]?.toUpperCase()}
      </text>
    </svg>
  );
}
