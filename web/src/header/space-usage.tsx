import type { Usage } from '@image-catalog/client';
import { Icon } from '../controls/icon.tsx';
import { closePopover } from '../controls/popover.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { headerTexts } from './header-texts.ts';
import { trashText } from './trash-text.ts';
import { measuresOf, type UsageMeasure } from './usage-measures.ts';
import { useUsage } from './use-usage.ts';

/**
 * What the space of the account holds. The service says neither its name nor whether others share it.
 *
 * @param openings of the menu
 */
function Section({ openings }: { readonly openings: number }): React.JSX.Element | null {
  const usage = useUsage(openings);
  if (usage === 'unknown') return null;
  return (
    <section className="account-usage" aria-label={headerTexts().usage.label}>
      {usage !== undefined && <Measures usage={usage} />}
    </section>
  );
}

export const SpaceUsage = withQueries(Section);

function Measures({ usage }: { readonly usage: Usage }): React.JSX.Element {
  const trash = trashText(usage);
  return (
    <>
      {measuresOf(usage).map((measure) => (
        <Measure key={measure.kind} {...measure} />
      ))}
      {trash !== undefined && (
        <ViewLink
          className="account-trash"
          view={{ ...NO_FILTERS, page: 'trash' }}
          onClick={({ currentTarget }) => closePopover(currentTarget)}
        >
          {trash}
        </ViewLink>
      )}
    </>
  );
}

function Measure({ kind, text, share, state }: UsageMeasure): React.JSX.Element {
  if (share === undefined) return <p>{text}</p>;
  return (
    <div className="account-measure" data-state={state}>
      <p>
        {text}
        {state !== 'fine' && (
          <strong className="account-warning">
            <Icon name="warning" />
            {headerTexts().usage[state]}
          </strong>
        )}
      </p>
      <meter value={share} aria-label={headerTexts().usage.of[kind]} aria-valuetext={text} />
    </div>
  );
}
