/** The body of an upload while it arrives. */
export interface ArrivingBody {
  /**
   * What has arrived in the last ten seconds in which the service was ready to read. `undefined` while the body may not be ended: it is
   * complete, it is younger than that, or its bytes wait for the service.
   */
  recentBytes(): number | undefined;
  /** Ends the body for a request that waits for its slot. */
  giveWay(): void;
}

/** Disposing of it releases it. */
export interface UploadSlot extends Disposable {
  /** The receiver sets it while the body arrives, and only then. */
  setArriving(body: ArrivingBody | undefined): void;
  release(): void;
}
