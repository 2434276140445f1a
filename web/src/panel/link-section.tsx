import { useRef } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';
import { Icon } from '../controls/icon.tsx';
import { UncopiedLink } from '../copying/uncopied-link.tsx';
import { useCopy } from '../copying/use-copy.ts';
import { texts } from '../languages/texts.ts';
import { useTrouble } from '../states/use-trouble.ts';

const WEEK_SECONDS = 604_800;

/** Links to send to others: to the gallery, and to the file itself. */
export function LinkSection({ id }: { readonly id: number }): React.JSX.Element {
  const catalog = useCatalog();
  const trouble = useTrouble();
  const { copy, uncopied } = useCopy();

  async function copyPublic(): Promise<void> {
    try {
      const { images } = await catalog.links([id], { renditions: [{}], ttlSeconds: WEEK_SECONDS });
      const [link] = images[id] ?? [];
      if (link !== undefined) await copy(link);
    } catch (error) {
      trouble.report(error);
    }
  }

  return (
    <>
      <LinkButton
        label={texts.panel.copyPage}
        hint={texts.panel.copyPageHint}
        onClick={() => copy(new URL(`./?image=${id}`, location.href).href)}
      />
      <LinkButton label={texts.panel.copyPublic} hint={texts.panel.copyPublicHint} onClick={copyPublic} />
      <UncopiedLink link={uncopied} />
    </>
  );
}

interface LinkButtonProps {
  readonly label: string;
  readonly hint: string;
  readonly onClick: () => Promise<void>;
}

function LinkButton({ label, hint, onClick }: LinkButtonProps): React.JSX.Element {
  const isUnderWay = useRef(false);
  return (
    <button
      type="button"
      className="panel-action"
      onClick={() => {
        if (isUnderWay.current) return;
        isUnderWay.current = true;
        void onClick().finally(() => {
          isUnderWay.current = false;
        });
      }}
    >
      <Icon name="link" />
      <span className="panel-row-text">
        <span>{label}</span>
        <span className="panel-secondary">{hint}</span>
      </span>
    </button>
  );
}
