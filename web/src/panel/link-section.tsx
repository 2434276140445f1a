import { useRef } from 'react';
import { usePage } from '../contexts/page.ts';
import { useService } from '../contexts/service.ts';
import { UncopiedLink } from '../copying/uncopied-link.tsx';
import { useCopy } from '../copying/use-copy.ts';
import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';

const WEEK_SECONDS = 604_800;

/** Links to send to others: to the gallery, and to the file itself. */
export function LinkSection({ id }: { readonly id: number }): React.JSX.Element {
  const { catalog } = useService();
  const { trouble } = usePage();
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
