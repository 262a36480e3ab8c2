import '../styles/badges.css';
import { lookup, type ResponseOf } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { Panel } from '../components/panel.tsx';
import { Picture } from '../components/picture.tsx';
import { Problem } from '../components/problem.tsx';
import { safeLinkUrl } from '../components/safe-url.ts';

type Badge = ResponseOf<'/users/{addressOrENS}/badges'>['poaps'][number];

/** The event badges of an account. Nothing is shown if it holds none. */
export function Badges({ id }: { readonly id: string }) {
  const request = lookup('/users/{addressOrENS}/badges', { addressOrENS: id });
  const { data, error, reload } = useRequest(request);
  const held = data?.poaps.filter(({ participated }) => participated) ?? [];
  if (held.length === 0 && error === undefined) return null;
  return (
    <Panel title="Badges" requests={[request]}>
      {error !== undefined && <Problem error={error} retry={reload} />}
      <ul class="badge-shelf">
        {held.map((badge) => (
          <li key={badge.eventId}>
            <HeldBadge badge={badge} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function HeldBadge({ badge: { eventId, collection } }: { readonly badge: Badge }) {
  const event = collection?.event;
  const name = event?.name || `Event ${eventId}`;
  const link = safeLinkUrl(event?.event_url);
  const place = [event?.city, event?.country].filter(Boolean).join(', ');
  const days = [event?.start_date, event?.end_date].filter((day) => !!day).map((day) => day?.replaceAll('-', ' '));
  return (
    <details class="badge" name="badge">
      <summary>
        <Picture src={event?.image_url} class="badge-picture">
          <GeneratedBadge eventId={eventId} name={name} />
        </Picture>
        <span class="badge-name">
          <bdi>{name}</bdi>
        </span>
        <span class="badge-date">{days[0] ?? event?.year}</span>
      </summary>
      <div class="badge-text">
        {event?.description && <p dir="auto">{event.description}</p>}
        <p class="badge-facts">
          <span>{new Set(days).size === 2 ? days.join(' – ') : days[0]}</span>
          {place && <bdi>{place}</bdi>}
          <span>{collection === null ? `POAP event ${eventId}` : `Token ${collection.tokenId}`}</span>
          {link !== null && (
            <a href={link} target="_blank" rel="noopener noreferrer nofollow" aria-label={`Event page of ${name}`}>
              Event page
            </a>
          )}
        </p>
      </div>
    </details>
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
