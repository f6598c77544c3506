public import UndercroftCore

/// One thing that goes wrong in a ``FaultyBackend``; calls are counted from one, each sort by
/// itself.
public struct Fault: Sendable {
  /// What the failing call throws; the layer adds the names of backend and key.
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
    self.error = StorageError(.io, "cannot go on: a fault was injected here")
  }

  /// Returns the same fault with another error.
  public func throwing(_ error: StorageError) -> Fault {
    var fault = self
    fault.error = error
    return fault
  }

  /// The `number`-th read fails.
  public static func read(_ number: Int) -> Fault { Fault(.read(number)) }

  /// The `number`-th listing fails.
  public static func keys(_ number: Int) -> Fault { Fault(.keys(number)) }

  /// The `number`-th batch fails before anything was changed.
  public static func apply(_ number: Int) -> Fault { Fault(.apply(number)) }

  /// The `number`-th batch fails after its first `changes` changes were made, whatever the backend
  /// promises.
  public static func tear(_ number: Int, after changes: Int) -> Fault {
    Fault(.tear(number, changes: changes))
  }

  /// Every batch that sets this name fails at it: as a whole where batches are atomic, otherwise
  /// after the changes before it.
  public static func name(_ name: String) -> Fault { Fault(.name(name)) }

  /// One call in so many fails, before anything was changed; the seed repeats the series.
  public static func random(seed: UInt64, oneIn count: Int) -> Fault {
    Fault(.random(seed: seed, oneIn: max(1, count)))
  }
}
