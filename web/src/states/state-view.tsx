import type { ReactNode } from 'react';
import { Icon, type IconName } from '../controls/icon.tsx';
import './states.css';

export interface StateViewProps {
  readonly icon: IconName;
  readonly title: string;
  readonly hint?: string | undefined;
  /** Something went wrong: screen readers say the title at once. */
  readonly alert?: boolean;
  /** What can be done. */
  readonly children?: ReactNode;
}

/** A calm sentence in the place where the content would be. */
export function StateView({ icon, title, hint, alert = false, children }: StateViewProps): React.JSX.Element {
  return (
    <div className="state">
      <Icon name={icon} />
      <div role={alert ? 'alert' : undefined}>
        <h2 className="state-title">{title}</h2>
      </div>
      {hint !== undefined && <p className="state-hint">{hint}</p>}
      {children}
    </div>
  );
}
