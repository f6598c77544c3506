public import UndercroftCore

/// A fault that makes calls of a ``FaultyBackend`` fail.
///
/// Calls are counted from 1, separately for reads, listings and batches.
public struct Fault: Sendable {
  /// The error that the failing call throws.
  ///
  /// The ``FaultyBackend`` adds the name of its upstream
  /// backend, and adds the key to errors of reads and batches.
  public var error: StorageError

  let kind: Kind

  enum Kind {
    case read(Int)
    case keys(Int)
    case apply(Int)
    case tear(Int, changes: Int)
    case name(String)
    case random(seed: UInt64, oneIn: Int)
  }

  private init(_ kind: Kind) {
    self.kind = kind
    let call =
      switch kind {
      case .read(let number): "call \(number) of read(_:)"
      case .keys(let number): "call \(number) of keys(withPrefix:)"
      case .apply(let number), .tear(let number, _): "call \(number) of apply(_:)"
      case .name(let name): "a call of apply(_:) that sets the entry \(quoted(name))"
      case .random: "a call of the backend"
      }
    self.error = StorageError(
      .io, "cannot complete \(call): an injected fault of the test made this call fail",
      suggestion: "if the test expects that this call succeeds, remove the fault")
  }

  /// Returns a copy of this fault whose failing calls throw `error`.
  public func throwing(_ error: StorageError) -> Fault {
    var fault = self
    fault.error = error
    return fault
  }

  /// Returns a fault that makes the `number`-th read fail.
  public static func read(_ number: Int) -> Fault { Fault(.read(number)) }

  /// Returns a fault that makes the `number`-th listing fail.
  public static func keys(_ number: Int) -> Fault { Fault(.keys(number)) }

  /// Returns a fault that makes the `number`-th batch fail before anything is changed.
  public static func apply(_ number: Int) -> Fault { Fault(.apply(number)) }

  /// Returns a fault that makes the `number`-th batch fail after its first `changes` changes, even
  /// if the backend declares ``Capabilities/atomicBatches``.
  public static func tear(_ number: Int, after changes: Int) -> Fault {
    Fault(.tear(number, changes: changes))
  }

  /// Returns a fault that causes an error in every batch that sets the given name.
  ///
  /// If batches are atomic, the batch changes nothing. Otherwise,
  /// the changes before the change of that name are applied.
  public static func name(_ name: String) -> Fault { Fault(.name(name)) }

  /// Returns a fault that makes each call fail with a
  /// probability of 1 / `count`, before anything is changed.
  ///
  /// With the same seed, the same calls fail.
  public static func random(seed: UInt64, oneIn count: Int) -> Fault {
    Fault(.random(seed: seed, oneIn: max(1, count)))
  }
}
