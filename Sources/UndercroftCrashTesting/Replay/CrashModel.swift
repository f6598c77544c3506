/// The kind of crash that ends a writer.
package enum CrashModel: String, Sendable, CaseIterable {
  /// The process is killed, but the kernel still writes all data that the process has passed to it.
  case kill = "kill"
  /// The power fails, so that operations that were not flushed may be lost, in any combination.
  case power = "power"
}

/// The kind of reordering that a file system must have performed for a state to occur.
package enum StateOrder: String, Sendable, Comparable, CaseIterable {
  /// The surviving operations on directory entries (create, rename, remove) are a prefix of all
  /// such operations, and the surviving writes to each file are a prefix of its writes.
  ///
  /// ext4 and XFS leave such states.
  case ordered = "ordered"
  /// The surviving operations are in order as in ``ordered``, but the last
  /// bytes of a file read as zeros, because only its new size survived.
  case orderedZeros = "ordered+zeros"
  /// Unflushed bytes survived although earlier unflushed bytes are lost.
  case dataReordered = "data reordered"
  /// An operation on a directory entry (create, rename, remove) survived although an earlier such
  /// operation is lost, or such an operation is lost although any file was flushed after it.
  ///
  /// POSIX allows such states, but journalling file systems do not leave them.
  case namesReordered = "names reordered"

  package static func < (left: StateOrder, right: StateOrder) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A disk state that a crash may leave, described by the operations, bytes and pages that are lost.
package struct CrashState: Sendable, CustomStringConvertible {
  /// The kind of crash that left this state.
  package let model: CrashModel
  /// The number of operations that the writer had completed when it crashed.
  package let point: Int
  /// The indices of the operations before ``point`` that are lost.
  package var lost: Set<Int> = []
  /// The operation that survived only in part, with its
  /// surviving part, or `nil` if no operation is torn.
  package var torn: (operation: Int, how: Tear)?
  /// The lost pages of one file whose other bytes all survived, or `nil` if no pages are lost.
  package var pages: (node: Int, missing: Set<Int>)?
  /// The kind of reordering that the file system must have performed for this state to occur.
  package var order: StateOrder = .ordered

  /// Creates a state in which all completed operations survived the crash.
  package init(_ model: CrashModel, point: Int) {
    self.model = model
    self.point = point
  }

  /// The part of a torn write that survived the crash.
  package enum Tear: Sendable, Equatable {
    /// Only the given number of bytes from the start of the write survived.
    case cut(Int)
    /// Only the bytes before an offset survived. The file has its full length, and the remaining
    /// bytes are zeros.
    case zeros(from: Int)
    /// A range of the written bytes is lost, and contains the old bytes of the file or zeros.
    case missing(Range<Int>)
  }

  package var description: String { text() }

  /// Returns a description of the state.
  ///
  /// - Parameter names: the names of the operations, or `nil` to describe them by their numbers.
  package func text(_ names: OperationNames? = nil) -> String {
    var text = "\(model.rawValue) after operation \(point)"
    if !lost.isEmpty { text += ", lost: \(names?.text(of: lost) ?? "\(NumberRanges(lost))")" }
    if let torn {
      let operation = names?.text(of: torn.operation) ?? "operation \(torn.operation)"
      text += ", torn: \(operation): \(torn.how)"
    }
    if let pages {
      let file = names?.path(of: pages.node) ?? "file #\(pages.node)"
      text += ", without the pages \(NumberRanges(pages.missing)) of \(file)"
    }
    return text + " (\(order.rawValue))"
  }
}

extension CrashState.Tear: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cut(let count): "only its first \(count) bytes are there"
    case .zeros(from: 0): "zeros are there instead of its bytes"
    case .zeros(let count): "zeros follow its first \(count) bytes"
    case .missing(let range):
      "its bytes \(range.lowerBound)–\(range.upperBound - 1) are missing"
    }
  }
}
