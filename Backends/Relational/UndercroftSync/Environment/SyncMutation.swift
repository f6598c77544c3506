/// A rule of the protocol that a test switches off, to show that its histories would find a
/// violation.
package enum SyncMutation: String, Hashable, Sendable, CaseIterable {
  /// The server does not store what was lost.
  case noConflictLog = "no_conflict_log"
  /// A result changes the version that the replica claims to have seen.
  case resultBumpsVersion = "ack_bumps_version"
  /// The server does not limit the timestamps of replicas.
  case noClamp = "no_clamp"
  /// An operation with a result is no longer visible, before its effect was pulled.
  case resultDropsOverlay = "ack_drops_overlay"
  /// The server applies an operation again that another replica has sent.
  case noDeduplication = "no_op_dedupe"
  /// An operation gets its identifier when its change is computed, and not when it is captured.
  case lateIdentifiers = "seal_time_ids"
  /// A replica does not recognise its own operations in pulled rows before their results arrive.
  case ignoredEchoes = "ignore_through"
  /// The server compares only the numbers of operations.
  case trustedSequence = "trust_seq"
  /// The server does not subtract increments that it has applied.
  case noAbsorption = "no_absorb"
  /// The server answers replicas that have missed removed tombstones.
  case noReset = "no_reset"
  /// A replica accepts pages that answer earlier requests.
  case noPageCheck = "no_page_check"
  /// The server applies operations that it may have applied before and forgotten.
  case noStaleness = "no_stale"
  /// Histories are compared by their last operations.
  case identifierChain = "id_chain"
  /// A replica claims to have seen values that its own operations hide.
  case noHiddenColumns = "no_hidden"
  /// A replica claims to have seen all rows up to its cursor.
  case cursorAsBase = "cursor_base"
  /// The server continues a snapshot after tombstones were removed.
  case noSnapshotFloor = "snapshot_gc"
}
