/// The range of the number of complete batches that a crash at one point may leave.
package struct BatchWindow: Sendable, Hashable, CustomStringConvertible {
  /// The number of the last batch that must survive.
  package let promised: Int
  /// The number of the last batch that had begun.
  package let begun: Int

  package init(promised: Int, begun: Int) {
    self.promised = promised
    self.begun = max(begun, promised)
  }

  package var description: String {
    let must = promised == 0 ? "no batch must be there" : "batch \(promised) must be there"
    switch begun - promised {
    case 0: return promised == 0 ? "no batch has begun" : must
    case 1: return "\(must), batch \(begun) may be"
    default: return "\(must), batches \(promised + 1)–\(begun) may be"
    }
  }
}

extension Trace {
  /// Returns which batches must and which batches may be present after a crash at a point.
  package func window(at point: Int, survivesCrash: Bool) -> BatchWindow {
    var promised = 0
    var begun = 0
    for announcement in announcements where announcement.position <= point {
      switch announcement.progress {
      case .begun(let number): begun = max(begun, number)
      case .acknowledged(let number) where survivesCrash: promised = max(promised, number)
      case .durable(let number): promised = max(promised, number)
      default: break
      }
    }
    return BatchWindow(promised: promised, begun: begun)
  }
}
