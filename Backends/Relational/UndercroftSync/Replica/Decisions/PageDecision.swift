/// The decision of a replica about a page of changes that it has received.
package enum PageDecision: Hashable, Sendable {
  /// The page is stored, because it continues the pull of the replica.
  case isStored
  /// The page is ignored, because it answers an earlier request.
  case isIgnored
  /// The server has another history than the one that the replica has pulled, so the
  /// replica pulls everything again.
  case resetsTimeline(Epoch)
  /// The file was copied or restored, so the replica gets a new identity: the server knows another
  /// continuation of the replica's operations.
  case reidentifies(Reason)

  /// The reason for a new identity.
  package enum Reason: String, Hashable, Sendable {
    /// The server has operations that this file has not sealed.
    case serverIsAhead = "server_ahead"
    /// The server has another operation or another history at the same sequence number.
    case chainsDiffer = "chains_differ"
  }

  /// Decides how a replica treats a page.
  ///
  /// - Parameters:
  ///   - page: the page, which may be delayed or repeated.
  ///   - state: the state of the replica.
  ///   - chain: the replica's chain up to the operation that `page.appliedThrough` names, or `nil`
  ///     if the replica no longer has that operation.
  package init(_ page: SyncPage, state: ReplicaState, ownChain chain: OperationChain?) {
    if page.replica != state.replica || page.generation != state.generation {
      self = .isIgnored
    } else if let epoch = state.epoch, epoch != page.epoch {
      self = .resetsTimeline(page.epoch)
    } else if page.from != state.downloadCursor {
      self = .isIgnored
    } else if page.appliedThrough.count > state.chain.count {
      self = .reidentifies(.serverIsAhead)
    } else if let chain, chain != page.appliedThrough {
      self = .reidentifies(.chainsDiffer)
    } else if page.appliedThrough.count == state.chain.count, page.appliedThrough != state.chain {
      self = .reidentifies(.chainsDiffer)
    } else {
      self = .isStored
    }
  }
}
