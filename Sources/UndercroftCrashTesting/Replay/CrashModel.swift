/// What ends a writer.
package enum CrashModel: String, Sendable, CaseIterable {
  /// The process dies; the kernel writes everything that it was handed.
  case kill
  /// The power fails; what was not flushed is there or not, in any order.
  case power
}

/// How far a file system has to go to leave a state.
package enum StateOrder: String, Sendable, Comparable, CaseIterable {
  /// Names in order, and of each file the first part of its writes: ext4 and XFS leave this.
  case ordered
  /// The same, but a file is longer than its data, and the rest reads as zeros.
  case orderedZeros = "ordered+zeros"
  /// Later unflushed bytes survived earlier ones.
  case dataReordered = "data reordered"
  /// Names survived out of order, or are lost although something was flushed after them: POSIX
  /// allows it, journalling file systems do not do it.
  case namesReordered = "names reordered"

  package static func < (left: StateOrder, right: StateOrder) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// One state of the disk that a crash may leave, described by what is missing.
package struct CrashState: Sendable, CustomStringConvertible {
  package let model: CrashModel
  /// How many operations the writer had finished.
  package let point: Int
  /// The operations before that point that are lost.
  package var lost: Set<Int> = []
  /// What is left of one operation that is neither lost nor whole.
  package var torn: (operation: Int, how: Tear)?
  /// The pages of one file that are missing; everything else of it is there.
  package var pages: (node: Int, missing: Set<Int>)?
  package var order: StateOrder = .ordered

  package init(_ model: CrashModel, point: Int) {
    self.model = model
    self.point = point
  }

  /// How a write is incomplete.
  package enum Tear: Sendable, Equatable {
    /// Only the first bytes are there.
    case cut(Int)
    /// Only the first bytes are there; the file has its full length and the rest is zeros.
    case zeros(from: Int)
    /// A range of its bytes did not reach the disk: the old bytes, or zeros, are there instead.
    case missing(Range<Int>)
  }

  package var description: String { text() }

  /// Describes the state.
  ///
  /// - Parameter names: words for the operations; without them their numbers stand alone.
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
