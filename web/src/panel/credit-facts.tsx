import type { ImageMetadata } from '@image-catalog/client';
import { PanelLine } from './panel-line.tsx';
import { panelTexts } from './panel-texts.ts';

const FIELDS = ['creator', 'copyright', 'credit', 'usageTerms'] as const;

/** Who made the picture and what the file says about using it. */
export function CreditFacts({ capture }: Pick<ImageMetadata, 'capture'>): React.JSX.Element | null {
  const facts = FIELDS.flatMap((field) => {
    const text = capture[field];
    return typeof text === 'string' ? [{ field, text }] : [];
  });
  if (facts.length === 0) return null;
  return (
    <PanelLine icon="account" label={panelTexts().credits}>
      {facts.map(({ field, text }) => (
        <p key={field}>
          <span className="panel-secondary">{panelTexts().creditLabels[field]}</span>{' '}
          <CreditText text={text} />
        </p>
      ))}
    </PanelLine>
  );
}

/** The file may say anything, so only an address that begins with `https:` becomes a link. */
function CreditText({ text }: { readonly text: string }): React.JSX.Element {
  if (!isHttpsAddress(text)) return <>{text}</>;
  return (
    <a href={text} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

function isHttpsAddress(text: string): boolean {
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text);
}
