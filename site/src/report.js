export class ReportView { constructor() {} opened() {} }
