import { Component, type ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { statesTexts } from './states-texts.ts';
import './states.css';

interface BoundaryProps {
  readonly children: ReactNode;
}

/** A part of the page. If it fails, the rest of the page stays. */
export class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="boundary floating" role="alert">
        {statesTexts().broken}
        <Button onClick={() => location.reload()}>{statesTexts().reloadPage}</Button>
      </div>
    );
  }
}
