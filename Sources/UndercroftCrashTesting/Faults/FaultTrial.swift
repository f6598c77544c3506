import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of a writer with one fault, and the judgement on it.
struct FaultTrial {
  private(set) var verdict = CrashVerdict.kept
  private(set) var reason = ""
  /// Whether the writer got an error.
  private(set) var hasSurfaced = false

  init(
    _ examination: FaultExamination, _ fault: CallFault, _ shim: FaultShim, _ folder: String
  ) throws {
    defer { ScratchFolder.remove(folder) }
    let (progress, status, hung) = try examination.runWriter(fault, shim, in: folder)
    let errors = progress.compactMap(\.error)
    hasSurfaced = !errors.isEmpty
    if hung {
      fail(.unusable, "the writer hangs")
    } else if status & 0x7f != 0 {
      fail(.unusable, "the writer died of signal \(status & 0x7f)")
    } else if status != 0 {
      fail(.unusable, "the writer ended with status \(status >> 8)")
    } else if let text = progress.lazy.compactMap(\.problem).first {
      fail(text.contains("in part") ? .mixture : .unusable, text)
    } else {
      judge(
        examination.work.judge(
          URL(filePath: folder, directoryHint: .isDirectory), after: progress), errors, fault)
    }
  }

  private mutating func judge(_ outcome: CrashOutcome, _ errors: [String], _ fault: CallFault) {
    switch outcome {
    case .consistent: break
    case .mixture(let text): return fail(.mixture, text)
    case .unopenable(let text): return fail(.unopenable, text)
    case .unusable(let text): return fail(.unusable, text)
    }
    // What fails is the machine: nothing is damaged, and a full disk is full.
    if let error = errors.first(where: { $0.hasPrefix("corrupted ") }) {
      fail(.misreported, error)
    } else if fault.meansFull, let error = errors.first, !errors.contains(where: Self.isFull) {
      fail(.misreported, error)
    }
  }

  private static func isFull(_ error: String) -> Bool { error.hasPrefix("full ") }

  private mutating func fail(_ verdict: CrashVerdict, _ reason: String) {
    self.verdict = verdict
    self.reason = reason
  }
}

extension WriterProgress {
  /// What the writer itself found broken.
  fileprivate var problem: String? {
    if case .broken(let text) = self { text } else { nil }
  }

  /// The error that was announced, its code first.
  fileprivate var error: String? {
    switch self {
    case .refused(_, let text), .failed(let text): text
    default: nil
    }
  }
}
