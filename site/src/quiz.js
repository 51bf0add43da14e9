export class Quiz { constructor() {} opened() {} }
