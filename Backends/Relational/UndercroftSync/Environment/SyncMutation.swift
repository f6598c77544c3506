/// A rule of the protocol that a test switches off, to prove that the test would
/// detect a violation of the rule.
///
/// Each case describes the faulty behaviour.
package enum SyncMutation: String, Hashable, Sendable, CaseIterable {
  /// The server does not store conflicts, which contain the values that lost.
  case noConflictLog = "no_conflict_log"
  /// A replica that receives a result claims to have seen the version in the result, although it
  /// has not pulled this version of the row.
  case resultBumpsVersion = "ack_bumps_version"
  /// The server accepts timestamps of replicas however far they are ahead of its own clock.
  case noClamp = "no_clamp"
  /// A replica removes an operation from the visible row when the result arrives, before the effect
  /// of the operation was pulled.
  case resultDropsOverlay = "ack_drops_overlay"
  /// The server applies an operation a second time if another replica, such as a copy of the file,
  /// has sent the same operation before.
  case noDeduplication = "no_op_dedupe"
  /// An operation gets its identifier when its change is computed, and not when it is captured.
  case lateIdentifiers = "seal_time_ids"
  /// A replica does not recognise its own operations in pulled rows before their results arrive.
  case ignoredEchoes = "ignore_through"
  /// The server compares only the sequence numbers of operations, and not
  /// their identifiers and hashes.
  case trustedSequence = "trust_seq"
  /// The server does not subtract the increments that it has applied with an
  /// earlier form of the operation.
  case noAbsorption = "no_absorb"
  /// The server sends pages to replicas that have missed removed tombstones,
  /// instead of requiring a snapshot.
  case noReset = "no_reset"
  /// A replica accepts pages that answer earlier requests.
  case noPageCheck = "no_page_check"
  /// The server applies operations that it may have applied before and removed from the ledger.
  case noStaleness = "no_stale"
  /// Two histories of operations count as equal if their last operations are equal, even if the
  /// hashes of the histories differ.
  case identifierChain = "id_chain"
  /// A replica claims to have seen values that its own operations hide.
  case noHiddenColumns = "no_hidden"
  /// A replica claims to have seen each row at the version of its cursor, instead of at the version
  /// of the row that it has pulled.
  case cursorAsBase = "cursor_base"
  /// The server decides about each operation of an atomic group separately.
  case splitGroups = "split_groups"
  /// An engine acquires the lease of a scope although another engine has it.
  case sharedLease = "no_lease"
  /// The server continues a snapshot after tombstones were removed.
  case noSnapshotFloor = "snapshot_gc"
}
