import UndercroftFileSystem

/// A failure of one or several successive system calls of one kind.
package struct CallFault: Sendable, Hashable, CustomStringConvertible {
  /// The kind of system call, such as "write".
  let call: String
  /// The number of the first call that fails, counted from 1 among the calls of this kind.
  let number: Int
  /// The number of successive calls that fail.
  let count: Int
  let form: Form

  enum Form: Sendable, Hashable {
    case error(Int32)
    /// The call reads or writes only half of the bytes.
    case short
    /// The call writes only half of the bytes, and the next write fails with an error number.
    case half(Int32)
  }

  /// The possible failures of each kind of call.
  static let forms: [(call: String, forms: [Form])] = [
    ("open", [.error(EMFILE), .error(EIO), .error(EINTR)]),
    (
      "write",
      [
        .error(ENOSPC), .error(EIO), .error(EINTR), .error(EDQUOT), .short, .half(ENOSPC),
      ]
    ),
    ("fsync", [.error(EIO), .error(EINTR), .error(ENOSPC)]),
    ("rename", [.error(EIO), .error(ENOSPC)]),
    ("link", [.error(EIO), .error(ENOSPC)]),
    ("unlink", [.error(EIO)]),
    ("mkdir", [.error(ENOSPC), .error(EIO)]),
    ("ftruncate", [.error(EIO), .error(EINTR), .error(ENOSPC)]),
    ("read", [.error(EIO), .error(EINTR), .short]),
    ("mmap", [.error(ENOMEM)]),
    ("close", [.error(EIO), .error(EINTR)]),
  ]

  /// Returns all faults for a writer that makes `counts` calls of each kind.
  ///
  /// For each call and each form of failure, the result contains a failure of this call alone.
  /// Except for ``Form/half(_:)``, it also contains a failure of five successive calls that
  /// begins with this call.
  static func all(_ counts: [String: Int]) -> [CallFault] {
    forms.flatMap { call, forms in
      (0..<counts[call, default: 0]).flatMap { index in
        forms.flatMap { form in
          let counts = if case .half = form { [1] } else { [1, 5] }
          return counts.map { CallFault(call: call, number: index + 1, count: $0, form: form) }
        }
      }
    }
  }

  static let variableNames = ["CALL", "NUMBER", "REPEAT", "ERROR", "FORM"]
    .map { "UNDERCROFT_FAULT_\($0)" }

  /// The environment variables that pass the fault to the library of ``FaultShim``.
  var variables: [String: String] {
    var values = ["CALL": call, "NUMBER": "\(number)", "REPEAT": "\(count)"]
    switch form {
    case .error(let number): values["ERROR"] = "\(number)"
    case .short: values["FORM"] = "short"
    case .half(let number):
      values["FORM"] = "half"
      values["ERROR"] = "\(number)"
    }
    return Dictionary(uniqueKeysWithValues: values.map { ("UNDERCROFT_FAULT_\($0.key)", $0.value) })
  }

  /// Whether the fault simulates a full disk (`ENOSPC`, `EDQUOT`).
  var meansFull: Bool {
    switch form {
    case .error(let number), .half(let number): number == ENOSPC || number == EDQUOT
    case .short: false
    }
  }

  /// Whether the fault is a single failure of a call that opens, changes or flushes files.
  ///
  /// These faults are tried before all other faults.
  var isEssential: Bool { count == 1 && !["read", "mmap", "close"].contains(call) }

  /// Whether the injected error is `EINTR`, with which a call fails when a signal interrupts it.
  ///
  /// The store is expected to repeat the call.
  var isInterruption: Bool { form == .error(EINTR) }

  package var description: String {
    "\(call) \(number)\(count > 1 ? " and \(count - 1) more" : ""): \(form)"
  }
}

extension CallFault.Form: CustomStringConvertible {
  var description: String {
    switch self {
    case .error(let number): String(cString: strerror(number))
    case .short: "half of the bytes"
    case .half(let number): "half of the bytes, then \(String(cString: strerror(number)))"
    }
  }
}
