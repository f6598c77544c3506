/// The minimum and the maximum number of complete batches
/// that a store is allowed to contain after a crash.
package struct BatchWindow: Sendable, Hashable, CustomStringConvertible {
  /// The number of the last batch that must survive, or 0 if no batch must survive.
  package let required: Int
  /// The number of the last batch that had begun, or 0 if no batch had begun.
  package let begun: Int

  package init(required: Int, begun: Int) {
    self.required = required
    self.begun = max(begun, required)
  }

  package var description: String {
    let must = required == 0 ? "no batch must be there" : "batch \(required) must be there"
    switch begun - required {
    case 0: return required == 0 ? "no batch has begun" : must
    case 1: return "\(must), batch \(begun) may be"
    default: return "\(must), batches \(required + 1)–\(begun) may be"
    }
  }
}

extension Trace {
  /// Returns the range of batches that the store is allowed to contain after a crash at a point.
  ///
  /// - Parameters:
  ///   - point: the number of operations before the crash.
  ///   - survivesCrash: whether acknowledged batches must survive. If `false`, only batches that a
  ///     checkpoint made durable must survive.
  package func window(at point: Int, survivesCrash: Bool) -> BatchWindow {
    var required = 0
    var begun = 0
    for line in progressLines where line.position <= point {
      switch line.progress {
      case .begun(let number): begun = max(begun, number)
      case .acknowledged(let number) where survivesCrash: required = max(required, number)
      case .durable(let number): required = max(required, number)
      default: break
      }
    }
    return BatchWindow(required: required, begun: begun)
  }
}
