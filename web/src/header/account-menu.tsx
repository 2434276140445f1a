import { useState } from 'react';
import { usePage } from '../contexts/page.ts';
import { useService } from '../contexts/service.ts';
import { Icon } from '../icons/icon.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { closePopover, Popover } from '../popover/popover.tsx';
import { useRights } from '../session/use-rights.ts';
import { useStore } from '../store.ts';
import { texts } from '../texts.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { TrashLink } from './trash-link.tsx';

const SpaceUsage = lazyPart(async () => (await import('./space-usage.tsx')).SpaceUsage, ComingUsage);

/** Has the height of the usage without limits. */
function ComingUsage(): React.JSX.Element {
  return <div className="account-usage" />;
}

/** Says once, quietly, why less is offered. */
function WhatIsNotOffered(): React.JSX.Element | null {
  const { config } = useService();
  const rights = useRights();
  if (rights.write && rights.delete) return null;
  const { readOnly, viewOnly, noDeletion, noChange } = texts.header.rights;
  const text = rights.delete ? noChange : rights.write ? noDeletion : viewOnly;
  return <p className="account-rights">{config.readOnly ? readOnly : text}</p>;
}

/** Who is signed in, what their space holds, the theme, the language, the keys, sign out. */
export function AccountMenu(): React.JSX.Element {
  const { config, session } = useService();
  const { shortcuts } = usePage();
  const state = useStore(session.state);
  const [openings, setOpenings] = useState(0);
  const name = state.kind === 'signed-in' ? state.name : undefined;
  return (
    <Popover icon="account" label={texts.header.account} onOpen={() => setOpenings((count) => count + 1)}>
      <p className="account-name">{texts.header.signedInAs(name)}</p>
      <WhatIsNotOffered />
      {openings === 0 ? <ComingUsage /> : <SpaceUsage openings={openings} />}
      <ThemeSwitch />
      <LanguageSwitch />
      <hr className="popover-line" />
      {config.trashDays > 0 && <TrashLink />}
      <button
        type="button"
        className="popover-item"
        onClick={({ currentTarget }) => {
          closePopover(currentTarget);
          shortcuts.listed.set(true);
        }}
      >
        <Icon name="keyboard" />
        {texts.header.shortcuts}
      </button>
      <a className="popover-item" href="./docs/" target="_blank" rel="noreferrer">
        <Icon name="external" />
        {texts.header.apiReference}
      </a>
      <hr className="popover-line" />
      <button type="button" className="popover-item" onClick={() => void session.signOut()}>
        <Icon name="sign-out" />
        {texts.header.signOut}
      </button>
    </Popover>
  );
}
