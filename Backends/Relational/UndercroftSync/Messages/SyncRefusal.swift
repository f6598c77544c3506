/// The reason for which a server does not execute a request.
package enum SyncRefusal: Hashable, Sendable {
  /// The chain of the replica differs from the chain that the server has received, because the file
  /// of the replica was copied or restored.
  case forked
  /// The history of the server, whose identifier is the associated value, is not the history that
  /// the replica has pulled.
  case epoch(Epoch)
  /// The replica must pull a snapshot.
  case reset(ResetReason, Epoch)
  /// Another operation with the same identifier was received.
  case operationCollision(OperationIdentifier)
  /// The schema of the replica is too old: the server accepts only operations of the version
  /// `minimumPush` of the schema and later versions.
  case upgradeRequired(minimumPush: Int64)
}

/// The reason for which a replica must pull a snapshot.
package enum ResetReason: String, Hashable, Sendable {
  /// The server has deleted tombstones whose versions are after the replica's cursor.
  case floor = "gc_floor"
  /// A change of the replica's schema has changed which data the replica receives.
  case schema = "schema"
  /// The part of the scope that the replica receives has changed.
  case filterChanged = "filter_changed"
}

/// The strings that identify refusals in messages.
private enum RefusalWord: String {
  case forked = "forked"
  case epoch = "epoch"
  case reset = "reset"
  case operationCollision = "operation_collision"
  case upgradeRequired = "upgrade_required"
}

extension SyncRefusal {
  func write(to object: inout WireObject) {
    switch self {
    case .forked: object[.error] = .string(RefusalWord.forked.rawValue)
    case .epoch(let epoch):
      object[.error] = .string(RefusalWord.epoch.rawValue)
      object[.epoch] = .string(epoch.text)
    case .reset(let reason, let epoch):
      object[.error] = .string(RefusalWord.reset.rawValue)
      object[.reason] = .string(reason.rawValue)
      object[.epoch] = .string(epoch.text)
    case .operationCollision(let operation):
      object[.error] = .string(RefusalWord.operationCollision.rawValue)
      object[.operationIdentifier] = .string(operation.text)
    case .upgradeRequired(let minimumPush):
      object[.error] = .string(RefusalWord.upgradeRequired.rawValue)
      object[.minimumPush] = .integer(minimumPush)
    }
  }

  /// Returns the refusal that the members of an answer describe, or `nil` if the answer is not a
  /// refusal.
  static func read(from object: WireObject) throws(WireError) -> SyncRefusal? {
    let word: RefusalWord? = try object.readIfPresent(.error, WireForm.word)
    switch word {
    case nil: return nil
    case .forked: return .forked
    case .epoch: return .epoch(try object.read(.epoch, WireForm.identifier))
    case .reset:
      return .reset(
        try object.read(.reason, WireForm.word), try object.read(.epoch, WireForm.identifier))
    case .operationCollision:
      return .operationCollision(try object.read(.operationIdentifier, WireForm.identifier))
    case .upgradeRequired:
      return .upgradeRequired(minimumPush: try object.read(.minimumPush, WireForm.natural))
    }
  }
}
